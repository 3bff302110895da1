//go:build unix

package main

import (
	"github.com/yaytpl/yaytpl/bench/programs"
)

// templateRow generates Kubernetes objects from a list of items: a Deployment for each item, and a
// Service for each public one, which is every second item.
var templateRow = row{
	name: "template", title: "2,000 items to 3,000 Kubernetes objects, structured",
	sizes: []int{2000, 8000, 32_000}, usual: 2000, unit: "items",
	generate: func(dir string, n int) ([]job, error) {
		err := writeAll(dir, map[string]func(t *text){
			"items.yaml":       func(t *text) { writeItems(t, n, "items:\n") },
			"values/items.yml": func(t *text) { writeItems(t, n, "#@data/values\n---\nitems:\n") },
			"ours.yaml":        content(oursTemplate),
			"main.jsonnet":     content(jsonnetTemplate),
			"main.cue":         content(cueTemplate),
			"main.yml":         content(yttTemplate),
		})
		return []job{
			{programs.Ours, []string{"query", "--one", "ours.yaml", "::out", "-o", "json"}, jsonForm},
			{"jsonnet", []string{"main.jsonnet"}, jsonForm},
			{"cue", []string{"export", "main.cue", "items.yaml", "-e", "out"}, jsonForm},
			{"ytt", []string{"-o", "json", "-f", "main.yml", "-f", "values/items.yml"}, jsonForm},
		}, err
	},
}

func writeItems(t *text, n int, head string) {
	t.printf("%s", head)
	for i := range n {
		t.printf("  - {name: app-%05d, image: \"example.com/app:%d\", port: %d, replicas: %d, public: %t}\n", i, i, 8000+i%1000, 1+i%5, i%2 == 0)
	}
}

const oursTemplate = `+include: items.yaml
out:
  deployments:
    eval: ::items
    foreach:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: "{{ item.name }}"
        labels: {app: "{{ item.name }}"}
      spec:
        replicas: "{{ item.replicas }}"
        selector: {matchLabels: {app: "{{ item.name }}"}}
        template:
          metadata: {labels: {app: "{{ item.name }}"}}
          spec:
            containers:
              - name: "{{ item.name }}"
                image: "{{ item.image }}"
                ports: [{containerPort: "{{ item.port }}"}]
  services:
    eval: "::items::[public=true]"
    foreach:
      apiVersion: v1
      kind: Service
      metadata: {name: "{{ item.name }}-public"}
      spec:
        selector: {app: "{{ item.name }}"}
        ports: [{port: 80, targetPort: "{{ item.port }}"}]
`

const jsonnetTemplate = `local items = std.parseYaml(importstr 'items.yaml').items;
{
  deployments: [{
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: item.name, labels: { app: item.name } },
    spec: {
      replicas: item.replicas,
      selector: { matchLabels: { app: item.name } },
      template: {
        metadata: { labels: { app: item.name } },
        spec: { containers: [{ name: item.name, image: item.image, ports: [{ containerPort: item.port }] }] },
      },
    },
  } for item in items],
  services: [{
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: item.name + '-public' },
    spec: { selector: { app: item.name }, ports: [{ port: 80, targetPort: item.port }] },
  } for item in items if item.public],
}
`

const cueTemplate = `package main

items: [...]
out: {
	deployments: [for item in items {
		apiVersion: "apps/v1"
		kind:       "Deployment"
		metadata: {name: item.name, labels: app: item.name}
		spec: {
			replicas: item.replicas
			selector: matchLabels: app: item.name
			template: {
				metadata: labels: app: item.name
				spec: containers: [{name: item.name, image: item.image, ports: [{containerPort: item.port}]}]
			}
		}
	}]
	services: [for item in items if item.public {
		apiVersion: "v1"
		kind:       "Service"
		metadata: name: "\(item.name)-public"
		spec: {selector: app: item.name, ports: [{port: 80, targetPort: item.port}]}
	}]
}
`

const yttTemplate = `#@ load("@ytt:data", "data")
---
deployments:
#@ for item in data.values["items"]:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: #@ item.name
    labels:
      app: #@ item.name
  spec:
    replicas: #@ item.replicas
    selector:
      matchLabels:
        app: #@ item.name
    template:
      metadata:
        labels:
          app: #@ item.name
      spec:
        containers:
        - name: #@ item.name
          image: #@ item.image
          ports:
          - containerPort: #@ item.port
#@ end
services:
#@ for item in data.values["items"]:
#@ if item.public:
- apiVersion: v1
  kind: Service
  metadata:
    name: #@ item.name + "-public"
  spec:
    selector:
      app: #@ item.name
    ports:
    - port: 80
      targetPort: #@ item.port
#@ end
#@ end
`

// yayRow does the work of templateRow, but the document for yaytpl is written in Yay.
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
