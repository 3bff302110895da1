//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// A text writes an input file.
type text struct {
	file *os.File
	*bufio.Writer
}

// write creates the file name in dir; fill prints its content.
func write(dir, name string, fill func(t *text)) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	t := &text{f, bufio.NewWriter(f)}
	fill(t)
	if err := t.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (t *text) printf(format string, args ...any) { fmt.Fprintf(t, format, args...) }

// writeAll creates several files in dir.
func writeAll(dir string, files map[string]func(t *text)) error {
	for name, fill := range files {
		if err := write(dir, name, fill); err != nil {
			return err
		}
	}
	return nil
}

// content returns a function that prints s.
func content(s string) func(t *text) { return func(t *text) { t.printf("%s", s) } }

// manyServices is the usual number of services in large files: about 5 MB of YAML.
const manyServices = 2200

// writeServices writes YAML with comments: n services of about 2,270 bytes each, with nested maps,
// lists of maps and of scalars, and strings in all styles.
func writeServices(t *text, n int) {
	t.printf("# Services of the platform.\n# Generated; do not edit.\nversion: 3\nservices:\n")
	for i := range n {
		t.printf("%s", serviceText(i))
	}
}

func serviceText(i int) string {
	return fmt.Sprintf(`  # ------------------------------------------------------------------
  # Service %05[1]d: what it is for is said in its description.
  service-%05[1]d:
    name: service-%05[1]d   # also its name in DNS
    description: >
      Service %[1]d answers questions about things of kind %[2]d
      and passes on all those that it does not know about.
    image: "registry.example.com/team-%[2]d/service-%05[1]d:1.%[2]d.%[3]d"
    replicas: %[4]d
    enabled: true
    debug: false
    weight: 0.%[3]d5
    # Who may be woken up.
    owners:
      - name: "Person %[2]d"
        mail: person-%[2]d@example.com
        telephone: '+00 %[3]d00 %[2]d00'
      - name: "Person %[3]d"
        mail: person-%[3]d@example.com
        telephone: '+00 %[2]d00 %[3]d00'
    ports:
      http:
        number: %[5]d
        protocol: TCP
        public: true
      metrics:
        number: %[6]d
        protocol: TCP
        public: false   # inside only
      admin: {number: %[7]d, protocol: TCP, public: false}
    environment:
      MODE: production
      LEVEL: info
      REGION: region-%[2]d
      DATABASE: postgres://db-%[2]d.example.com:5432/service_%[1]d?sslmode=require
      QUEUE: amqp://queue-%[3]d.example.com/service-%[1]d
      CACHE_SIZE: "%[4]d0000"
      LEGACY_NAME: old-service-%[1]d
      FEATURES: fast,safe,kind-%[2]d
    resources:
      requests:
        cpu: %[4]d00m
        memory: %[4]dGi
      limits:
        cpu: %[4]d500m
        memory: 1%[4]dGi
    health:
      # The same for all, so far.
      path: /healthz
      interval: 10s
      timeout: 2s
      failures: 3
      start:
        delay: %[4]d0s
        failures: 30
    labels:
      app.example.com/name: service-%05[1]d
      app.example.com/part-of: group-%[2]d
      app.example.com/version: "1.%[2]d.%[3]d"
      app.example.com/managed-by: platform
    volumes:
      - name: data
        path: /var/lib/service-%05[1]d
        size: %[4]d0Gi
      - name: scratch
        path: /tmp
        size: 1Gi
    command: ["/usr/bin/serve", "--port", "%[5]d", "--mode", "production"]
    script: |
      set -eu
      # Everything that has to be done first.
      exec /usr/bin/prepare --service service-%05[1]d --group %[2]d
    schedule:
      days: [mon, tue, wed, thu, fri]
      from: "08:00"
      to: "18:%[3]d0"
    notes: Plain text about service %[1]d that goes on for a while and says nothing at all.

`, i, i%37, i%6, 1+i%9, 8000+i%1000, 9000+i%1000, 7000+i%1000)
}

// writeServicesJSON writes nearly the same data as JSON, about 3,000 bytes for each service.
func writeServicesJSON(t *text, n int) {
	t.printf("{\n  \"version\": 3,\n  \"services\": {\n")
	for i := range n {
		if i > 0 {
			t.printf(",\n")
		}
		writeServiceJSON(t, i)
	}
	t.printf("\n  }\n}\n")
}

func writeServiceJSON(t *text, i int) {
	t.printf(`    "service-%05[1]d": {
      "name": "service-%05[1]d",
      "description": "Service %[1]d answers questions about things of kind %[2]d and passes on all those that it does not know about.\n",
      "image": "registry.example.com/team-%[2]d/service-%05[1]d:1.%[2]d.%[3]d",
      "replicas": %[4]d,
      "enabled": true,
      "debug": false,
      "weight": 0.%[3]d5,
      "owners": [
        {
          "name": "Person %[2]d",
          "mail": "person-%[2]d@example.com",
          "telephone": "+00 %[3]d00 %[2]d00"
        },
        {
          "name": "Person %[3]d",
          "mail": "person-%[3]d@example.com",
          "telephone": "+00 %[2]d00 %[3]d00"
        }
      ],
      "ports": {
        "http": {
          "number": %[5]d,
          "protocol": "TCP",
          "public": true
        },
        "metrics": {
          "number": %[6]d,
          "protocol": "TCP",
          "public": false
        },
        "admin": {
          "number": %[7]d,
          "protocol": "TCP",
          "public": false
        }
      },
      "environment": {
        "MODE": "production",
        "LEVEL": "info",
        "REGION": "region-%[2]d",
        "DATABASE": "postgres://db-%[2]d.example.com:5432/service_%[1]d?sslmode=require",
        "QUEUE": "amqp://queue-%[3]d.example.com/service-%[1]d",
        "CACHE_SIZE": "%[4]d0000",
        "LEGACY_NAME": "old-service-%[1]d",
        "FEATURES": "fast,safe,kind-%[2]d"
      },
      "resources": {
        "requests": {
          "cpu": "%[4]d00m",
          "memory": "%[4]dGi"
        },
        "limits": {
          "cpu": "%[4]d500m",
          "memory": "1%[4]dGi"
        }
      },
      "health": {
        "path": "/healthz",
        "interval": "10s",
        "timeout": "2s",
        "failures": 3,
        "start": {
          "delay": "%[4]d0s",
          "failures": 30
        }
      },
      "labels": {
        "app.example.com/name": "service-%05[1]d",
        "app.example.com/part-of": "group-%[2]d",
        "app.example.com/version": "1.%[2]d.%[3]d",
        "app.example.com/managed-by": "platform"
      },
      "volumes": [
        {
          "name": "data",
          "path": "/var/lib/service-%05[1]d",
          "size": "%[4]d0Gi"
        },
        {
          "name": "scratch",
          "path": "/tmp",
          "size": "1Gi"
        }
      ],
      "command": [
        "/usr/bin/serve",
        "--port",
        "%[5]d",
        "--mode",
        "production"
      ],
      "script": "set -eu\n# Everything that has to be done first.\nexec /usr/bin/prepare --service service-%05[1]d --group %[2]d\n",
      "schedule": {
        "days": [
          "mon",
          "tue",
          "wed",
          "thu",
          "fri"
        ],
        "from": "08:00",
        "to": "18:%[3]d0"
      },
      "notes": "Plain text about service %[1]d that goes on for a while and says nothing at all."
    }`, i, i%37, i%6, 1+i%9, 8000+i%1000, 9000+i%1000, 7000+i%1000)
}
