import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

interface Places {
  readonly folder: string
  readonly port: number
  readonly nodePort: number
}

/** A well-known proxy for comparison: one process with one thread and keep-alive on both sides. */
export interface ReferenceProxy {
  readonly name: string
  readonly program: string
  readonly versions: Readonly<Record<string, string>>
  readonly configure: (places: Places) => string
  readonly argue: (folder: string, config: string) => readonly string[]
}

/** nginx and haproxy, as far as they are installed. */
export function findReferenceProxies(): readonly ReferenceProxy[] {
  const nginx = findProgram('nginx')
  const haproxy = findProgram('haproxy')
  return [
    ...(nginx === undefined
      ? []
      : [
          {
            name: 'nginx, 1 worker',
            program: nginx.path,
            versions: { nginx: nginx.version },
            configure: configureNginx,
            argue: (folder: string, config: string) => [
              '-p',
              folder,
              '-c',
              config,
              '-e',
              join(folder, 'error.log'),
            ],
          },
        ]),
    ...(haproxy === undefined
      ? []
      : [
          {
            name: 'haproxy, 1 thread',
            program: haproxy.path,
            versions: { haproxy: haproxy.version },
            configure: configureHaproxy,
            argue: (_folder: string, config: string) => ['-db', '-f', config],
          },
        ]),
  ]
}

/** The path in a variable such as NGINX, or an installed program; the first one that runs. */
function findProgram(name: string): { readonly path: string; readonly version: string } | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const told = process.env[name.toUpperCase()]
  for (const path of [
    ...(told === undefined ? [] : [told]),
    ...folders.map((folder) => join(folder, name)),
  ]) {
    const { status, stdout, stderr } = spawnSync(path, ['-v'], { encoding: 'utf8' })
    if (status !== 0) continue
    return { path, version: /(?:nginx\/|version )([\d.]+)/.exec(stdout + stderr)?.[1] ?? 'unknown' }
  }
  return undefined
}

/** One process is one worker. Streams are not buffered, because tokens would be delayed. */
function configureNginx({ folder, port, nodePort }: Places): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    master_process off;
    pid ${folder}/pid;
    events { worker_connections 4096; }
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
      keepalive_requests 1000000;
      upstream node { server 127.0.0.1:${nodePort}; keepalive 256; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://node;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_buffering off;
        }
        location /api/chat {
          proxy_pass http://node;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }
  `
}

/** `http-no-delay` because haproxy would collect the tokens of a stream. */
function configureHaproxy({ port, nodePort }: Places): string {
  return `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
  option http-no-delay
frontend callers
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  server node 127.0.0.1:${nodePort} pool-max-conn 256
`
}
