import { Button } from '@mantine/core'
import type { User } from '../../api/bodies.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { givenRoles } from './given-roles.ts'
import styles from './UserTable.module.css'

const columns: ReadonlyArray<Column<User>> = [
  {
    title: 'Name',
    placeholderWidth: 112,
    cell: ({ username, display_name }) => (
      <>
        {username}
        {display_name === username ? null : <span className={styles['second']}>{display_name}</span>}
      </>
    ),
  },
  {
    title: 'Email',
    minor: true,
    placeholderWidth: 140,
    cell: ({ email }) => email ?? <span className={styles['none']}>–</span>,
  },
  {
    title: 'Roles',
    room: 112,
    placeholderWidth: 88,
    cell: ({ roles }) => givenRoles(roles).join(', ') || <span className={styles['none']}>none</span>,
  },
  { title: 'Tier', minor: true, room: 96, placeholderWidth: 72, cell: ({ tier }) => tier },
  {
    title: 'State',
    placeholderWidth: 64,
    cell: ({ disabled }) =>
      disabled ? <Status tone="warn" word="Disabled" /> : <Status tone="good" word="Active" />,
  },
  {
    title: 'Last sign-in',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_login_at }) => <LastUse at={last_login_at} />,
  },
]

interface UserTableProps {
  readonly users: readonly User[] | undefined
  readonly search: string | undefined
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  readonly onShowAll: () => void
}

export function UserTable({ users, search, openId, onOpen, onShowAll }: UserTableProps) {
  if (users?.length === 0) {
    return (
      <EmptyState
        sentence={`Nobody’s name or email contains “${search ?? ''}”.`}
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show everybody
          </Button>
        }
        link={<a href={apiReferencePath}>Manage users through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Users"
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      placeholderRows={3}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
