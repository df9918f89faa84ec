import type { AgentDefinition } from '../definition.ts'
import { exactly, findings, free, measuring, verdict } from './shared.ts'

export const structureAndLinkChecker: AgentDefinition = {
  id: 'structure_and_link_checker',
  label: 'Structure and link checker',
  description:
    'Checks the markup of a page for accessibility: heading order, alternative texts of images, texts and URLs of links, overlong paragraphs. It calls no model and is free.',
  category: 'validation',
  capabilities: ['accessibility', 'headings', 'links', 'alternative texts'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: measuring,
  pricing: free,
  output_schema: exactly({
    verdict,
    findings,
    counts: exactly({
      headings: { type: 'integer' },
      links: { type: 'integer' },
      images: { type: 'integer' },
      images_without_alt: { type: 'integer' },
    }),
  }),
  analysers: [{ analyser: 'markup' }],
  analysis_output: {
    verdict: '{{analysis.markup.verdict}}',
    findings: '{{analysis.markup.findings}}',
    counts: '{{analysis.markup.counts}}',
  },
  checks: [{ check: 'required_fields', fields: ['verdict'] }],
  conclusion: { decision: '{{verdict}}', reasoning: 'Findings: {{analysis.markup.count}}.' },
}
