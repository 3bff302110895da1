//go:build unix

package main

// yayRow is the work of the template row, with our document written in Yay.
var yayRow = row{
	name: "yay", title: "2,000 items to 3,000 Kubernetes objects, in Yay",
	sizes: templateRow.sizes, usual: templateRow.usual, unit: templateRow.unit,
	generate: func(dir string, n int) ([]job, error) {
		jobs, err := templateRow.generate(dir, n)
		if err != nil {
			return nil, err
		}
		jobs[0].args = []string{"query", "--one", "ours.yay", "::out", "-o", "json"}
		return jobs, writeAll(dir, map[string]func(t *text){"ours.yay": content(yayTemplate)})
	},
}

const yayTemplate = `include "items.yaml"
out:
  deployments:
    for item in items:
      - apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: {{ item.name }}
          labels:
            app: {{ item.name }}
        spec:
          replicas: {{ item.replicas }}
          selector:
            matchLabels:
              app: {{ item.name }}
          template:
            metadata:
              labels:
                app: {{ item.name }}
            spec:
              containers:
                - name: {{ item.name }}
                  image: {{ item.image }}
                  ports:
                    - containerPort: {{ item.port }}
  services:
    for item in items if item.public:
      - apiVersion: v1
        kind: Service
        metadata:
          name: {{ item.name }}-public
        spec:
          selector:
            app: {{ item.name }}
          ports:
            - port: 80
              targetPort: {{ item.port }}
`
