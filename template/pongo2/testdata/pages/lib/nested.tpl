<{{ title }}>
