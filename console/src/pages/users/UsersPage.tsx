import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { usersQuery } from '../../api/people-queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { SearchField } from '../../parts/SearchField.tsx'
import { Surface } from '../../parts/Section.tsx'
import type { NewCredentials } from './NewPassword.tsx'
import { UserTable } from './UserTable.tsx'
import type { UserSearch } from './user-search.ts'

const CreateUser = lazy(() => import('./CreateUser.tsx'))
const UserDrawer = lazy(() => import('./UserDrawer.tsx'))
const NewPassword = lazy(() => import('./NewPassword.tsx'))
const route = getRouteApi('/users')

/** Everybody with an account, and what each may do. */
export function UsersPage() {
  const { search, page = 1, user: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: users, failure, refetch } = useAnswer(usersQuery(useApi(), { search, page }))
  const [credentials, setCredentials] = useState<NewCredentials>()

  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = async () => {
    // Who changes accounts may change what their own may do.
    await Promise.all(
      [['users'], ['roles'], ['profile']].map((queryKey) => cache.invalidateQueries({ queryKey })),
    )
  }

  return (
    <Page
      title="Users"
      lead="Everybody who can sign in. Roles decide what each may do; a change holds at once."
      aside={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Add user
        </Button>
      }
    >
      <ListTools count={countText(users?.total)}>
        <SearchField
          label="Find by name or email"
          text={search}
          onChange={(text) =>
            void navigate({ search: text === undefined ? {} : { search: text }, replace: true })
          }
        />
      </ListTools>
      {users === undefined && failure !== null ? (
        <FailureNotice what="The users could not be read." error={failure} onRetry={() => void refetch()} />
      ) : (
        <>
          <Surface>
            <UserTable
              users={rowsOf(users)}
              search={search}
              openId={openId}
              onOpen={(id) => void navigate({ search: (now) => ({ ...now, user: id }), resetScroll: false })}
              onShowAll={() => void navigate({ search: {} })}
            />
          </Surface>
          <Pager
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
