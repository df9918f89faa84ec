import type { AgentDefinition } from '../definition.ts'
import { exactly, free, grade, material, scoreOrNull, texts, theText, usual } from './shared.ts'

export const seoAuditor: AgentDefinition = {
  id: 'seo_auditor',
  label: 'SEO auditor',
  description:
    'Audits a page for search engines: title, headings, length, links, images and the use of a keyword. Each check has a weight; the score is the share that passed.',
  category: 'seo',
  capabilities: ['seo audit', 'on-page checks', 'keyword use'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  parameters: { keyword: { description: 'The keyword the page should rank for.' } },
  system_prompt: [
    'You audit single pages for search engines. You assess only what is on the page, and promise no ranks.',
    'Say for each issue what to do about it, the most important first. Write in the language of the text.',
    material,
  ].join('\n'),
  prompt: [
    'Audit the following page. Keyword: {{keyword}}',
    'Measured checks that failed: {{analysis.seo.failed}}',
    'Measured checks that passed: {{analysis.seo.passed}}',
    'Measured score: {{analysis.seo.score}} of 100. Its topics by frequency: {{analysis.key_phrases.phrases}}',
    'Give a score from 0 to 100 that takes the measured one into account, a verdict, issues with severity, and recommendations.',
    theText,
  ].join('\n'),
  ai_options: { temperature: 0.1, max_tokens: 2000 },
  output_schema: exactly({
    score: scoreOrNull,
    verdict: grade,
    issues: {
      type: 'array',
      maxItems: 50,
      items: exactly({
        rule: { type: 'string' },
        issue: { type: 'string' },
        severity: { type: 'string', enum: ['high', 'medium', 'low'] },
      }),
    },
    recommendations: texts,
  }),
  analysers: [{ analyser: 'seo', parameter: 'keyword' }, { analyser: 'key_phrases' }, { analyser: 'length' }],
  analysis_output: {
    score: '{{analysis.seo.score}}',
    verdict: '{{analysis.seo.verdict}}',
    issues: '{{analysis.seo.issues}}',
    recommendations: '{{analysis.seo.failed}}',
  },
  checks: [
    { check: 'agrees_with', field: 'score', finding: 'seo.score', within: 30, on_failure: 'warn' },
    { check: 'required_fields', fields: ['verdict'] },
  ],
  conclusion: { decision: '{{verdict}}', reasoning: 'SEO score {{score}} of 100.' },
}
