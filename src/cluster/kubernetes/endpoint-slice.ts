import { type Static, Type } from 'typebox'
import { createCheck } from '#kernel/checks'

const perhaps = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** The used fields of an EndpointSlice. */
const sliceSchema = Type.Object({
  metadata: Type.Object({ name: Type.String(), resourceVersion: Type.Optional(Type.String()) }),
  addressType: Type.Optional(Type.String()),
  ports: perhaps(Type.Array(Type.Object({ name: perhaps(Type.String()), port: perhaps(Type.Integer()) }))),
  endpoints: perhaps(
    Type.Array(
      Type.Object({
        addresses: Type.Array(Type.String()),
        conditions: perhaps(
          Type.Object({ ready: perhaps(Type.Boolean()), terminating: perhaps(Type.Boolean()) }),
        ),
      }),
    ),
  ),
})

const listSchema = Type.Object({
  metadata: Type.Object({ resourceVersion: Type.String() }),
  items: Type.Array(sliceSchema),
})

const eventSchema = Type.Object({
  type: Type.String(),
  object: Type.Object({
    metadata: Type.Optional(Type.Object({ resourceVersion: Type.Optional(Type.String()) })),
    code: Type.Optional(Type.Integer()),
  }),
})

export type EndpointSlice = Static<typeof sliceSchema>
type SliceList = Static<typeof listSchema>

const list = createCheck(listSchema)
const slice = createCheck(sliceSchema)
const event = createCheck(eventSchema)

/** One line of a watch. */
export type WatchEvent =
  | { readonly kind: 'changed'; readonly slice: EndpointSlice; readonly version: string | undefined }
  | { readonly kind: 'deleted'; readonly slice: EndpointSlice; readonly version: string | undefined }
  | { readonly kind: 'bookmark'; readonly version: string | undefined }
  | { readonly kind: 'expired' }

/** Parses a list response. Throws when it is invalid. */
export function readSliceList(response: unknown): SliceList {
  if (!list.Check(response)) throw new Error('the response is not a list of EndpointSlices')
  return response
}

/** Parses one line of a watch. Throws when it is invalid, or for an error other than an expired version. */
export function readWatchEvent(line: string): WatchEvent {
  const value: unknown = JSON.parse(line)
  if (!event.Check(value)) throw new Error('a line of the watch is not an event')
  const { type, object } = value
  const version = object.metadata?.resourceVersion
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (!slice.Check(object)) throw new Error('a line of the watch is not about an EndpointSlice')
      return { kind: type === 'DELETED' ? 'deleted' : 'changed', slice: object, version }
    case 'BOOKMARK':
      return { kind: 'bookmark', version }
    default:
      if (type === 'ERROR' && object.code === 410) return { kind: 'expired' }
      throw new Error(`the watch ended with ${type} ${object.code ?? ''}`.trimEnd())
  }
}

/** The addresses of the ready pods of a slice. */
export function urlsOf({ addressType, ports, endpoints }: EndpointSlice): readonly string[] {
  const port = ports?.find((candidate) => typeof candidate.port === 'number')?.port
  if (typeof port !== 'number') return []
  const wanted = (endpoints ?? []).filter(
    // A missing condition counts as true, except `terminating`.
    ({ conditions }) => conditions?.ready !== false && conditions?.terminating !== true,
  )
  return wanted.flatMap(({ addresses }) => {
    const [address] = addresses
    if (address === undefined) return []
    return [`http://${addressType === 'IPv6' ? `[${address}]` : address}:${port}`]
  })
}
