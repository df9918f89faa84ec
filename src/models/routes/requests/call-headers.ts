import { Type } from 'typebox'

const fallback = Type.Optional(
  Type.String({
    description:
      'Fallbacks when the model fails: `none` (default), `any`, or up to eight models in order, separated by commas.',
  }),
)

const session = Type.Optional(
  Type.String({
    description:
      'Calls with the same session id go to the same node of the cluster, unless it is much busier than the others.',
  }),
)

const tags = Type.Optional(
  Type.String({ description: 'Up to ten labels of the call for usage reports, separated by commas.' }),
)

const record = Type.Optional(
  Type.String({
    description:
      '`on` records prompt and answer if MODEL_RECORDING is `on-request`; `off` prevents it if it is `on`. Without effect if it is `off`.',
  }),
)

/** The request headers of every call. */
export function callHeaders(sessionHeader: string) {
  return Type.Object({
    'x-model-fallback': fallback,
    'x-tags': tags,
    'x-record': record,
    [sessionHeader]: session,
  })
}

/** The request headers of text calls, whose responses may be cached. */
export function textCallHeaders(sessionHeader: string) {
  return Type.Object({
    'x-model-fallback': fallback,
    'x-tags': tags,
    'x-record': record,
    [sessionHeader]: session,
    'cache-control': Type.Optional(
      Type.String({
        description:
          '`no-cache` skips the response cache and updates it, `no-store` skips it without an update.',
      }),
    ),
  })
}
