import type { AgentDefinition } from '../definition.ts'
import { exactly, findings, free, material, theText, usual, verdict } from './shared.ts'

export const factAndNumberChecker: AgentDefinition = {
  id: 'fact_and_number_checker',
  label: 'Fact and number checker',
  description:
    'Finds numbers, dates and statements that contradict each other. Sums, ranges and dates are computed; a language model finds contradictions, also against a reference. It uses no knowledge beyond the text.',
  category: 'validation',
  capabilities: ['number check', 'date check', 'contradictions', 'reference check'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: { reference: { description: 'A reference text that is known to be right.' } },
  system_prompt: [
    'You check texts for inner consistency, and against a reference when there is one. Report only what contradicts itself, the reference, or arithmetic.',
    'Use nothing you know of the world: what cannot be decided from what is here is no finding. Quote the passage as excerpt, word for word.',
    'verdict: fail when something is certainly wrong, review when something is doubtful, else pass.',
    material,
  ].join('\n'),
  prompt: [
    'Check the following text.',
    'Computed already, report these too: {{analysis.facts.findings}}',
    'Reference (empty: none):\n"""\n{{reference}}\n"""',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0, max_tokens: 2000 },
  output_schema: exactly({ verdict, findings, summary: { type: 'string' } }),
  analysers: [{ analyser: 'facts' }],
  analysis_output: {
    verdict: '{{analysis.facts.verdict}}',
    findings: '{{analysis.facts.findings}}',
    summary:
      'Sums, ranges and dates were computed: {{analysis.facts.count}} cannot be right. Comparing statements needs a language model.',
  },
  checks: [
    { check: 'quotes_input', field: 'findings.excerpt', on_failure: 'warn' },
    { check: 'required_fields', fields: ['verdict', 'summary'] },
  ],
  conclusion: { decision: '{{verdict}}', reasoning: '{{summary}}' },
}
