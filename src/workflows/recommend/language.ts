import { type Factor, languageCodeOf } from '#runs'
import type { Candidate } from './candidate.ts'

/** Whether a flow is for a language: it says so in its tags, or its prompts are told the language. */
export function languageFit(
  { flow: { definition } }: Pick<Candidate, 'flow'>,
  language: string | undefined,
): Pick<Factor, 'score' | 'evidence'> {
  if (language === undefined) return { score: null, evidence: 'No language was named.' }
  const asked = languageCodeOf(language) ?? language.trim().toLowerCase()
  const declared = (definition.tags ?? []).flatMap(
    (tag) => languageCodeOf(tag.replace(/^lang(uage)?[:=-]/i, '')) ?? [],
  )
  if (declared.includes(asked)) return { score: 1, evidence: `Its tags name ${language}.` }
  if (declared.length > 0)
    return { score: 0, evidence: `Its tags name ${declared.join(', ')} and not ${language}.` }
  const isTold = definition.steps.some(
    (step) =>
      step.type === 'ai_prompt' &&
      /\{\{[^}]*language[^}]*\}\}/i.test(`${step.prompt} ${step.ai_options?.system_prompt ?? ''}`),
  )
  if (isTold) return { score: 1, evidence: 'Its prompts are told the language.' }
  return { score: null, evidence: 'It does not say which languages it is for.' }
}
