import type { Role } from '../../api/bodies.ts'
import { type Column, Table } from '../../parts/Table.tsx'
import styles from './RoleTable.module.css'

const columns: ReadonlyArray<Column<Role>> = [
  {
    title: 'Role',
    placeholderWidth: 120,
    cell: ({ label, name }) => (
      <>
        {label} <code className={styles['name']}>{name}</code>
      </>
    ),
  },
  {
    title: 'Allows',
    placeholderWidth: 240,
    cell: ({ all_permissions, permissions }) =>
      all_permissions ? 'Everything, with what later releases add' : permissions.join(', ') || 'Nothing yet',
  },
  { title: 'Held by', placeholderWidth: 88, cell: holdersText },
]

function holdersText({ name, users }: Role): string {
  if (name === 'anonymous') return 'those without an account'
  if (name === 'authenticated') return 'every account'
  return users === 1 ? '1 account' : `${users.toLocaleString()} accounts`
}

interface RoleTableProps {
  readonly roles: readonly Role[] | undefined
  readonly openName: string | undefined
  readonly onOpen: (name: string) => void
}

/** There is always a role: those that came with the platform stay. */
export function RoleTable({ roles, openName, onOpen }: RoleTableProps) {
  return (
    <Table
      label="Roles"
      columns={columns}
      rows={roles}
      rowKey={({ name }) => name}
      placeholderRows={5}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}
