/*
 * A request that one gateway passes on to another carries the id of the one that passes it on, so that it is not sent round
 * in a circle.
 *
 * | the header         | who asks          | and                                                             |
 * |--------------------|-------------------|-----------------------------------------------------------------|
 * | is not there       | a caller          | any route may be taken                                          |
 * | has our own id     | ourselves         | is refused: RUNTIME_GATEWAY_URL leads back here                 |
 * | has another id     | another gateway   | no gateway is asked again (`askedByGateway`)                    |
 */

export type AskedThrough = 'caller' | 'another gateway' | 'ourselves'

/** Who sent a request, by its hop header. */
export function readGatewayHop(header: string | readonly string[] | undefined, ownId: string): AskedThrough {
  const ids = [header ?? []].flat()
  if (ids.length === 0) return 'caller'
  return ids.includes(ownId) ? 'ourselves' : 'another gateway'
}
