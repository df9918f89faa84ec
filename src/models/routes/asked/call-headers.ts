import { Type } from 'typebox'

const fallback = Type.Optional(
  Type.String({
    description:
      'Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it.',
  }),
)

const session = Type.Optional(
  Type.String({
    description:
      'Calls with the same value go to the same node of the cluster, as long as it is not much busier than the others.',
  }),
)

/** What a caller may say beside the body of a call. */
export function callHeaders(sessionHeader: string) {
  return Type.Object({ 'x-model-fallback': fallback, [sessionHeader]: session })
}

/** The same for an answer in text, which may come from memory. */
export function textCallHeaders(sessionHeader: string) {
  return Type.Object({
    'x-model-fallback': fallback,
    [sessionHeader]: session,
    'cache-control': Type.Optional(
      Type.String({
        description: '`no-cache` asks anew and remembers the answer, `no-store` asks anew and does not.',
      }),
    ),
  })
}
