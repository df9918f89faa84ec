import type { Interface } from '../../api/responses.ts'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'

const columns: ReadonlyArray<Column<Interface>> = [
  { title: 'API', placeholderWidth: 120, cell: ({ title }) => title },
  { title: 'Version', placeholderWidth: 40, cell: ({ version }) => version },
  {
    title: 'Description',
    numeric: true,
    cell: ({ name, openapi }) => (
      <a href={openapi} aria-label={`OpenAPI description of ${name}`}>
        OpenAPI
      </a>
    ),
  },
]

/** The HTTP APIs of the platform. */
export function Interfaces({ interfaces }: { interfaces: readonly Interface[] | undefined }) {
  return (
    <Section title="APIs" note={interfaces?.length}>
      <Table
        label="APIs"
        columns={columns}
        rows={interfaces}
        rowKey={({ name }) => name}
        placeholderRows={2}
      />
    </Section>
  )
}
