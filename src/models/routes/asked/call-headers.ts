import { Type } from 'typebox'

const fallback = Type.Optional(
  Type.String({
    description:
      'Who may answer when the model cannot: `none`, `any`, or up to eight models in their order. `none` without it.',
  }),
)

/** What a caller may say beside the body of a call. */
export const callHeaders = Type.Object({ 'x-model-fallback': fallback })

/** The same for an answer in text, which may come from memory. */
export const textCallHeaders = Type.Object({
  'x-model-fallback': fallback,
  'cache-control': Type.Optional(
    Type.String({
      description: '`no-cache` asks anew and remembers the answer, `no-store` asks anew and does not.',
    }),
  ),
})
