import type { CallToolResult } from '@modelcontextprotocol/client'

/** The result of a tool as a text for a model. Media are named, not repeated: a model cannot read their data in a text. */
export function describeResult({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(describePart).filter((part) => part !== '')
  if (parts.length > 0) return parts.join('\n')
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
}

function describePart(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${Math.floor((part.data.length * 3) / 4)} bytes]`
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}]`
    default:
      return ''
  }
}
