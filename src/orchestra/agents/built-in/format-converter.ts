import type { AgentDefinition } from '../definition.ts'
import { exactly, free, measuring } from './shared.ts'

export const formatConverter: AgentDefinition = {
  id: 'format_converter',
  label: 'Format converter',
  description:
    'Turns Markdown or HTML into Markdown, HTML or plain text. The text is taken apart and written anew, so what comes out is safe to show: no script, no style, no address that was not one. It asks no model and costs nothing.',
  category: 'transformation',
  capabilities: ['markdown to html', 'html to markdown', 'plain text', 'sanitising'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: measuring,
  pricing: free,
  parameters: {
    target_format: {
      description: 'What it shall be.',
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
