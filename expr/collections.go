package expr

import (
	"slices"
	"strings"
)

// The filters, tests and lookups of Ansible that are not in ansible-core come from collections. Some of
// them are in yaytpl. The others are named here, so that an error does not take them for misspelt.
var collections = []struct{ kind, collection, names string }{
	{"filter", "ansible.utils", `cidr_merge consolidate from_xml get_path hwaddr in_any_network in_network in_one_network index_of
		ip4_hex keep_keys macaddr network_in_usable next_nth_usable param_list_compare previous_nth_usable reduce_on_network
		remove_keys replace_keys slaac to_paths to_xml usable_range validate`},
	{"filter", "ansible.netcommon", `comp_type5 hash_salt parse_cli parse_cli_textfsm parse_xml pop_ace type5_pw vlan_expander vlan_parser`},
	{"filter", "community.general", `counter crc32 dict_kv from_csv groupby_as_dict hashids_decode hashids_encode jc random_mac to_days
		to_hours to_milliseconds to_minutes to_months to_seconds to_time_unit to_weeks to_years unicode_normalize version_sort`},
	{"filter", "kubernetes.core", "k8s_config_resource_name"},
	{"test", "ansible.utils", `in_any_network in_network in_one_network ip ip_address ipv4 ipv4_address ipv4_hostmask ipv4_netmask ipv6
		ipv6_address ipv6_ipv4_mapped ipv6_sixtofour ipv6_teredo loopback mac multicast private public reserved resolvable
		subnet_of supernet_of unspecified validate`},
	{"test", "community.general", "a_module fqdn_valid"},
	{"lookup", "community.general", `bitwarden cartesian chef_databag collection_version consul_kv credstash cyberarkpassword dependent
		dig dnstxt dsv etcd etcd3 filetree hiera keyring lastpass lmdb_kv manifold merge_variables onepassword onepassword_raw
		passwordstore random_pet random_string random_words redis revbitspss shelvefile tss`},
	{"lookup", "ansible.utils", "get_path index_of to_paths validate"},
	{"lookup", "amazon.aws", "aws_account_attribute aws_secret aws_service_ip_ranges aws_ssm secretsmanager_secret ssm_parameter"},
	{"lookup", "community.hashi_vault", `hashi_vault vault_ansible_settings vault_kv1_get vault_kv2_get vault_list vault_login vault_read
		vault_token_create vault_write`},
	{"lookup", "community.sops", "sops"},
	{"lookup", "kubernetes.core", "k8s kustomize"},
}

// collectionOf returns the collection that has a filter, test or lookup which is not here, or "".
func collectionOf(kind, name string) string {
	for _, c := range collections {
		if c.kind == kind && slices.Contains(strings.Fields(c.names), name) {
			return c.collection
		}
	}
	return ""
}

// taskTests are the tests of Ansible that ask for the result of a task.
var taskTests = []string{
	"failed", "failure", "succeeded", "success", "successful", "reachable", "unreachable", "timedout", "changed", "change", "skipped",
	"skip", "finished", "started",
}
