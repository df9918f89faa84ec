import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { userSorts, usersQuery } from '../../api/people-queries.ts'
import type { User } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { readSort, type Sort, writeSort } from '../../parts/table-sort.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { LastUse } from '../../time/RelativeTime.tsx'
import { givenRoles } from './given-roles.ts'
import type { NewCredentials } from './NewPassword.tsx'
import styles from './UsersPage.module.css'
import { readUserSearch, type UserSearch } from './user-search.ts'

const CreateUser = lazyPart(() => import('./CreateUser.tsx'))
const UserDrawer = lazyPart(() => import('./UserDrawer.tsx'))
const NewPassword = lazyPart(() => import('./NewPassword.tsx'))
const route = getRouteApi('/users')

/** All accounts with their roles. */
export function UsersPage() {
  const { search, sort, page = 1, user: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: users, failure, refetch } = useApiQuery(usersQuery(useApi(), { search, sort, page }))
  const [credentials, setCredentials] = useState<NewCredentials>()

  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = async () => {
    // Administrators may have changed their own permissions.
    await Promise.all(
      [['users'], ['roles'], ['profile']].map((queryKey) => cache.invalidateQueries({ queryKey })),
    )
  }

  return (
    <Page
      title="Users"
      lead="All accounts. Roles set their permissions; changes apply immediately."
      aside={
        <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Add user
        </Button>
      }
    >
      <ListTools count={countText(users?.total)}>
        <SearchField
          label="Search users"
          text={search}
          onChange={(text) =>
            void navigate({ search: readUserSearch({ search: text, sort }), replace: true })
          }
        />
      </ListTools>
      {users === undefined && failure !== null ? (
        <FailureNotice what="The users could not be loaded." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <UserTable
              users={rowsOf(users)}
              search={search}
              sort={readSort(sort, userSorts)}
              onSort={(wanted) =>
                void navigate({ search: readUserSearch({ search, sort: writeSort(wanted) }), replace: true })
              }
              openId={openId}
              onOpen={(id) => void navigate({ search: (now) => ({ ...now, user: id }), resetScroll: false })}
              onShowAll={() => void navigate({ search: readUserSearch({ sort }) })}
            />
          </Surface>
          <Pager
            order={sort === undefined ? 'oldest first' : undefined}
            page={page}
            total={users?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? (
          <CreateUser
            onClose={close}
            onCreated={async (told) => {
              await refresh()
              close()
              setCredentials(told)
            }}
          />
        ) : null}
        {openId === undefined ? null : (
          <UserDrawer
            key={openId}
            id={openId}
            listed={users?.data.find(({ id }) => id === openId)}
            onChanged={refresh}
            onPassword={setCredentials}
            onClose={close}
          />
        )}
        {credentials === undefined ? null : (
          <NewPassword credentials={credentials} onDone={() => setCredentials(undefined)} />
        )}
      </Suspense>
    </Page>
  )
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 user' : `${total.toLocaleString()} users`
}

function withoutDialog(search: UserSearch): UserSearch {
  const { create: _, user: __, ...list } = search
  return list
}

const columns: ReadonlyArray<Column<User>> = [
  {
    title: 'Name',
    id: 'username',
    sortsOnServer: true,
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
    id: 'email',
    sortsOnServer: true,
    minor: true,
    placeholderWidth: 140,
    cell: ({ email }) => email ?? <span className={styles['none']}>–</span>,
  },
  {
    title: 'Roles',
    minWidth: 112,
    placeholderWidth: 88,
    cell: ({ roles }) => givenRoles(roles).join(', ') || <span className={styles['none']}>none</span>,
  },
  {
    title: 'Tier',
    id: 'tier',
    sortsOnServer: true,
    minor: true,
    minWidth: 96,
    placeholderWidth: 72,
    cell: ({ tier }) => tier,
  },
  {
    title: 'State',
    id: 'state',
    sortsOnServer: true,
    placeholderWidth: 64,
    cell: ({ disabled }) =>
      disabled ? <Status tone="warn" word="Disabled" /> : <Status tone="good" word="Active" />,
  },
  {
    title: 'Last sign-in',
    id: 'last_login',
    sortsOnServer: true,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_login_at }) => <LastUse at={last_login_at} />,
  },
]

interface UserTableProps {
  readonly users: readonly User[] | undefined
  readonly search: string | undefined
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  readonly onShowAll: () => void
}

function UserTable({ users, search, sort, onSort, openId, onOpen, onShowAll }: UserTableProps) {
  if (users?.length === 0) {
    return (
      <EmptyState
        sentence={`No users match “${search ?? ''}”.`}
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all users
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
      sort={sort}
      onSort={onSort}
      hasFilter={false}
      rowKey={({ id }) => id}
      placeholderRows={3}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
