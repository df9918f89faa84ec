import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../support/free-port.ts'
import { hasProgram } from '../../support/has-program.ts'
import { openReplicaProxy } from '../replica-proxy.ts'

/** A load balancer in front of replicas whose ports do not change. */
export interface Balancer extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

/** nginx where it is installed, else the small proxy of the tests, which follows `/readyz`. */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  return hasProgram('nginx', '-v') ? await openNginx(ports) : await openOwn(ports)
}

async function openOwn(ports: readonly number[]): Promise<Balancer> {
  const proxy = await openReplicaProxy()
  for (const port of ports) proxy.add(`http://127.0.0.1:${port}`)
  return {
    name: 'the proxy of the tests',
    url: proxy.url,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

/** As `deploy/nginx.conf`: a request that may have been processed is not sent to another replica. */
const configOf = (folder: string, port: number, ports: readonly number[]) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream replicas {
${ports.map((replica) => `    server 127.0.0.1:${replica} max_fails=1 fail_timeout=2s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_connect_timeout 2s;
      proxy_next_upstream error timeout http_503;
      proxy_read_timeout 90s;
    }
  }
}
`

async function openNginx(ports: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-nginx-'))
  // Started by root, nginx serves as another user.
  await chmod(folder, 0o755)
  const port = await findFreePort()
  const config = join(folder, 'nginx.conf')
  await writeFile(config, configOf(folder, port, ports))
  const nginx = spawn('nginx', ['-e', join(folder, 'error.log'), '-c', config], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answers) break
    if (tries === 200 || nginx.exitCode !== null) throw new Error(`nginx does not start, see ${folder}`)
    await delay(50)
  }
  return {
    name: 'nginx',
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
