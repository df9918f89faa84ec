import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { rolesQuery } from '../../api/people-queries.ts'
import type { Role } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import styles from './RolesPage.module.css'

const CreateRole = lazyPart(() => import('./RoleDrawer.tsx').then(({ CreateRole: it }) => ({ default: it })))
const RoleDrawer = lazyPart(() => import('./RoleDrawer.tsx'))
const route = getRouteApi('/roles')

/** The roles with their permissions. */
export function RolesPage() {
  const { role: openName, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: roles, failure, refetch } = useApiQuery(rolesQuery(useApi()))
  const open = roles?.find(({ name }) => name === openName)

  const close = () => void navigate({ search: {}, resetScroll: false })
  const refresh = async () => {
    await Promise.all(
      [['roles'], ['users'], ['profile']].map((queryKey) => cache.invalidateQueries({ queryKey })),
    )
  }

  return (
    <Page
      title="Roles"
      lead="A role is a set of permissions. An account has the permissions of all its roles."
      aside={
        <Button
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: { create: true } })}
        >
          Create role
        </Button>
      }
    >
      {roles === undefined && failure !== null ? (
        <FailureNotice what="The roles could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <Surface>
          <RoleTable
            roles={roles}
            openName={openName}
            onOpen={(name) => void navigate({ search: { role: name }, resetScroll: false })}
          />
        </Surface>
      )}
      <Suspense>
        {create === true ? (
          <CreateRole
            onClose={close}
            onCreated={async () => {
              await refresh()
              close()
            }}
          />
        ) : null}
        {openName === undefined || roles === undefined ? null : (
          <RoleDrawer key={openName} name={openName} role={open} onChanged={refresh} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

const columns: ReadonlyArray<Column<Role>> = [
  {
    title: 'Role',
    value: ({ label }) => label,
    text: ({ label, name }) => `${label} ${name}`,
    placeholderWidth: 120,
    cell: ({ label, name }) => (
      <>
        {label} <code className={styles['name']}>{name}</code>
      </>
    ),
  },
  {
    title: 'Permissions',
    value: ({ all_permissions: all, permissions }) => (all ? Number.POSITIVE_INFINITY : permissions.length),
    text: permissionsText,
    placeholderWidth: 240,
    cell: permissionsText,
  },
  {
    title: 'Accounts',
    placeholderWidth: 88,
    value: ({ name, users }) => (name === 'anonymous' || name === 'authenticated' ? null : users),
    cell: holdersText,
  },
]

function permissionsText({ all_permissions: all, permissions }: Role): string {
  return all ? 'All permissions' : permissions.join(', ') || 'None'
}

function holdersText({ name, users }: Role): string {
  if (name === 'anonymous') return 'anonymous requests'
  if (name === 'authenticated') return 'all accounts'
  return users === 1 ? '1 account' : `${users.toLocaleString()} accounts`
}

interface RoleTableProps {
  readonly roles: readonly Role[] | undefined
  readonly openName: string | undefined
  readonly onOpen: (name: string) => void
}

/** The table of roles. It is never empty: built-in roles cannot be deleted. */
function RoleTable({ roles, openName, onOpen }: RoleTableProps) {
  return (
    <Table
      label="Roles"
      name="main"
      columns={columns}
      rows={roles}
      rowKey={({ name }) => name}
      placeholderRows={5}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}
