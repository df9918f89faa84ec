import type { AgentDefinition } from '../definition.ts'
import { exactly, findings, free, material, theText, usual, verdict } from './shared.ts'

export const complianceChecker: AgentDefinition = {
  id: 'compliance_checker',
  label: 'Compliance checker',
  description:
    'Finds passages to review before publication: personal data (with valid check digits where they exist), unfinished text and claims without proof. A language model also applies your own rules. This is not legal advice.',
  category: 'validation',
  capabilities: ['personal data', 'claims', 'unfinished text', 'house rules'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html', 'json'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: { rules: { description: 'Your own rules, one per line.' } },
  system_prompt: [
    'You check texts before publication against rules. Report each passage that breaks one, with the rule, how severe it is, the passage word for word, and what is wrong.',
    'Do not repeat numbers of accounts or cards: hide their middle. verdict: fail with anything severe, review with anything doubtful, else pass. This is no legal advice, so claim none.',
    material,
  ].join('\n'),
  prompt: [
    'Check the following text.',
    'Rules: no personal data; nothing unfinished; no promise without proof.\n{{rules}}',
    'Found by pattern already, report these too unless they are harmless: {{analysis.compliance.findings}}',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0, max_tokens: 2000 },
  output_schema: exactly({ verdict, findings, summary: { type: 'string' } }),
  analysers: [{ analyser: 'compliance' }],
  analysis_output: {
    verdict: '{{analysis.compliance.verdict}}',
    findings: '{{analysis.compliance.findings}}',
    summary:
      'Checked by pattern: personal data, unfinished text, claims (in English and German). Found: {{analysis.compliance.count}}. Your own rules need a language model.',
  },
  checks: [{ check: 'required_fields', fields: ['verdict', 'summary'] }],
  conclusion: { decision: '{{verdict}}', reasoning: '{{summary}}' },
}
