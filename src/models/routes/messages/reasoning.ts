import type { ModelCall, NativeField } from '../../providers/provider.ts'

/** The fields of a messages request that are about reasoning. */
export interface ReasoningFields {
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number | undefined } | undefined
  readonly output_config?: { readonly effort?: string | undefined } | undefined
}

const efforts: Readonly<Record<string, ModelCall['reasoningEffort']>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
}

/** The effort of a request: budgets of reasoning are efforts, the way providers describe them. */
export function effortOf({ thinking, output_config: output }: ReasoningFields): ModelCall['reasoningEffort'] {
  if (thinking?.type === 'disabled') return 'none'
  const { effort } = output ?? {}
  if (effort !== undefined) return efforts[effort]
  if (thinking === undefined) return undefined
  const budget = thinking.budget_tokens ?? 8192
  if (budget <= 4096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}

const thinkingTypes: ReadonlySet<unknown> = new Set([undefined, 'enabled', 'disabled', 'adaptive'])

/** Kinds of reasoning that only Anthropic has. */
export function nativeReasoningOf({
  thinking,
  output_config: output,
}: ReasoningFields): readonly NativeField[] {
  const { effort } = output ?? {}
  return [
    ...(thinkingTypes.has(thinking?.type) ? [] : [{ path: 'thinking.type', value: thinking?.type ?? '' }]),
    ...(effort === undefined || Object.hasOwn(efforts, effort)
      ? []
      : [{ path: 'output_config.effort', value: effort }]),
  ]
}
