import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const password = 'correct horse battery'

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  /** Microseconds of processor time, which other load on the machine hardly affects, unlike throughput. */
  cpuMicroseconds(): Promise<number>
}

/** Starts the server in a separate process, so that client and server do not share a thread. */
export async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TUTTI_ADMIN_PASSWORD: password,
      NODE_ENV: 'production',
    },
  })
  const [{ url }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
  ])) as [{ url: string }]
  return {
    url,
    async cpuMicroseconds() {
      const answered = once(child, 'message')
      child.send('cpu')
      const [{ cpuMicroseconds }] = (await answered) as [{ cpuMicroseconds: number }]
      return cpuMicroseconds
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.send('end')
      await ended
    },
  }
}

/** Sends JSON as the first administrator and returns the response. */
export async function ask<Answer>(url: string, path: string, body: unknown): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}
