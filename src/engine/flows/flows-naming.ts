import type { Database } from '#kernel/database'

const maxNamed = 100

/** The flows whose current version names a secret or connection, by id. */
export async function findFlowsNaming(
  database: Pick<Database, 'query'>,
  part: 'secret' | 'connection',
  name: string,
): Promise<readonly { readonly flowId: string; readonly label: string }[]> {
  return await database.query(
    `
      select flow.id as "flowId", coalesce(version.definition ->> 'label', flow.id) as label
      from engine_flows as flow
      join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
      where flow.deleted_at is null and version.definition::text ~ $1
      order by flow.id
      limit ${maxNamed}
    `,
    [patternOf(part, name)],
  )
}

/** In the text of a definition: `{{secrets.name}}`, or the field `connection` of a call. */
function patternOf(part: 'secret' | 'connection', name: string): string {
  const literal = name.replaceAll(/[^a-z0-9_]/g, '')
  return part === 'secret' ? `\\{\\{\\s*secrets\\.${literal}\\M` : `"connection": "${literal}"`
}
