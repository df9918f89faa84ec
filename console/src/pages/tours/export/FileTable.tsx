import { type Column, Table } from '../../../parts/Table.tsx'
import type { ExportForm } from './export-calls.ts'
import styles from './FileTable.module.css'

type RecipeFile = ExportForm['files'][number]

const columns: ReadonlyArray<Column<RecipeFile>> = [
  { title: 'File', cell: ({ path }) => <code className={styles['path']}>{path}</code> },
  { title: 'Bytes', numeric: true, cell: ({ size }) => size.toLocaleString() },
  { title: 'SHA-256', cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code> },
]

/** The files of the recipe. The same tour gives the same ones. */
export function FileTable({ files }: { files: readonly RecipeFile[] }) {
  return <Table label="Files" columns={columns} rows={files} rowKey={({ path }) => path} />
}
