import type { AddressInfo } from 'node:net'
import { UserMistake } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { addressOf, type Place } from './places.ts'

/** Listens and answers the address to open; what the operator can mend is said in one line. */
export async function listen(server: HttpServer, place: Place): Promise<string> {
  try {
    // For this name Fastify opens a second server, which neither our error answers nor our closing would reach.
    const host = place.host === 'localhost' ? '127.0.0.1' : place.host
    await server.listen({ host, port: place.port })
  } catch (error) {
    throw explain(error, place)
  }
  const { port } = server.server.address() as AddressInfo
  return addressOf(place.host, port)
}

function explain(error: unknown, { host, port, variables }: Place): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UserMistake(
        `Port ${port} is already in use. Stop what listens there, or set ${variables.port} to another port (0 takes any free one).`,
      )
    case 'EACCES':
      return new UserMistake(`Port ${port} needs more rights. Set ${variables.port} to a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserMistake(`This machine has no address "${host}". Set ${variables.host} to one it has.`)
    default:
      return error
  }
}
