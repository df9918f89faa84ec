import type { AgentDefinition } from '../definition.ts'
import { exactly, free, measuring } from './shared.ts'

export const formatConverter: AgentDefinition = {
  id: 'format_converter',
  label: 'Format converter',
  description:
    'Converts Markdown or HTML to Markdown, HTML or plain text. The text is parsed and rendered anew, so the output is safe to show: no scripts, no styles, no unsafe URLs. It calls no model and is free.',
  category: 'transformation',
  capabilities: ['markdown to html', 'html to markdown', 'plain text', 'sanitising'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: measuring,
  pricing: free,
  parameters: {
    target_format: {
      description: 'The output format.',
      required: true,
      choices: ['markdown', 'html', 'text'],
    },
  },
  output_schema: exactly({ converted: { type: 'string' }, format: { type: 'string' } }),
  content_field: 'converted',
  analysers: [{ analyser: 'converted', parameter: 'target_format' }],
  analysis_output: { converted: '{{analysis.converted.text}}', format: '{{analysis.converted.format}}' },
  checks: [{ check: 'required_fields', fields: ['converted', 'format'] }],
  conclusion: { decision: 'converted to {{format}}' },
}
