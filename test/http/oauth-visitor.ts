import { type BrowserSession, freshAddress, type IdentityServer } from './identity-server.ts'

/** A user with a signed-in browser. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly session: BrowserSession
}

/** A browser that does not follow redirects and keeps its cookies by path, as an authorization requires. */
export class Visitor {
  readonly #server: IdentityServer
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>()
  readonly #address = freshAddress()

  constructor(server: IdentityServer, person?: Person) {
    this.#server = server
    if (person !== undefined) this.become(person)
  }

  /** Signs in as another user in the same browser. */
  become({ session }: Person): void {
    const [name = '', value = ''] = session.cookie.split('=')
    this.#cookies.set(name, { value, path: '/' })
  }

  async get(url: string): Promise<Response> {
    return await this.#send(url, { method: 'GET' })
  }

  async post(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return await this.#send(url, { method: 'POST', body: new URLSearchParams(fields) })
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const target = new URL(url, this.#server.url)
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => target.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(target, {
      ...init,
      redirect: 'manual',
      headers: { cookie, 'x-forwarded-for': this.#address },
    })
    for (const line of answer.headers.getSetCookie()) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, { value, path })
  }
}

/** The redirect target of a response. */
export function locationOf(answer: Response): URL {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`no redirect: ${answer.status}`)
  return new URL(location, answer.url)
}
