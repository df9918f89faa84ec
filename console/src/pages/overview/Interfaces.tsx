import type { Interface } from '../../api/bodies.ts'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'

const columns: ReadonlyArray<Column<Interface>> = [
  { title: 'Interface', placeholderWidth: 120, cell: ({ title }) => title },
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

/** What programs can call here. */
export function Interfaces({ interfaces }: { interfaces: readonly Interface[] | undefined }) {
  return (
    <Section title="Interfaces" note={interfaces?.length}>
      <Table
        label="Interfaces"
        columns={columns}
        rows={interfaces}
        rowKey={({ name }) => name}
        placeholderRows={2}
      />
    </Section>
  )
}
