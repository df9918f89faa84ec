import type { AiPromptStep } from '../definition/step-types.ts'

interface MeasureOptions {
  readonly id: string
  readonly label: string
  /** An instruction that `builtin:text` knows, without the colon. */
  readonly instruction: string
  readonly memory: string
  readonly dependencies?: string[]
}

/** A step that measures the text: always by `builtin:text`, so that conditions can rely on its fields. It costs nothing. */
export function measureStep({ id, label, instruction, memory, dependencies }: MeasureOptions): AiPromptStep {
  return {
    id,
    type: 'ai_prompt',
    label,
    ...(dependencies !== undefined && { dependencies }),
    prompt: `${instruction}:\n\n{{content}}`,
    ai_options: { model: 'builtin:text' },
    post_processing: [{ operation: 'format', format: 'json' }],
    output_to_memory: memory,
  }
}
