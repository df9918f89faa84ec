import type { OpenApiDocument } from '#kernel/http'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Generates the page of all routes and their access rules from the OpenAPI description. */
export function writeRoutesPage(document: OpenApiDocument): string {
  const sections = (document.tags ?? []).map(({ name, description }) => {
    const rows = Object.entries(document.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item?.[method] as
          | { tags?: string[]; summary?: string; 'x-access'?: string }
          | undefined
        if (operation?.tags?.includes(name) !== true) return []
        return [
          `| \`${method.toUpperCase()} ${path}\` | ${operation.summary ?? ''} | ${operation['x-access'] ?? ''} |`,
        ]
      }),
    )
    return [
      `## ${name}`,
      '',
      description ?? '',
      '',
      '| route | | who may call it |',
      '|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return [
    '# Routes and who may call them',
    'A running server has the full description at `/docs` and `/openapi.yaml`.',
    ...sections,
    'This page is written by `npm run generate`.\n',
  ].join('\n\n')
}
