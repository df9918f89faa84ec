import type { AddressInfo } from 'node:net'
import { UserMistake } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'

/** Where a server is to listen, and the variable that says so. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly variable: string
}

/** Listens and answers the address to open; what the operator can mend is said in one line. */
export async function listen(server: HttpServer, { host, port, variable }: Place): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw explain(error, { host, port, variable })
  }
  const { port: actual } = server.server.address() as AddressInfo
  return `http://${showHost(host)}:${actual}`
}

function explain(error: unknown, { host, port, variable }: Place): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UserMistake(
        `Port ${port} is already in use. Stop what listens there, or set ${variable} to another port (0 takes any free one).`,
      )
    case 'EACCES':
      return new UserMistake(`Port ${port} needs more rights. Set ${variable} to a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UserMistake(`This machine has no address "${host}" to listen on.`)
    default:
      return error
  }
}

/** Every-interface addresses cannot be opened in a browser; this machine's own can. */
function showHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
