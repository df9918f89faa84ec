import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const chunk = Compile(
  Type.Object({
    choices: Type.Array(
      Type.Object({
        delta: Type.Object({
          reasoning_content: Type.Optional(Type.Unknown()),
          reasoning: Type.Optional(Type.Unknown()),
        }),
      }),
    ),
  }),
)

/** What a model thinks aloud. OpenAI itself shows none of it; servers compatible with it do, under one of two names. */
export function readReasoning(raw: unknown): string | undefined {
  if (!chunk.Check(raw)) return undefined
  const delta = raw.choices[0]?.delta
  const text = delta?.reasoning_content ?? delta?.reasoning
  return typeof text === 'string' ? text : undefined
}
