import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { rolesQuery } from '../../api/people-queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { RoleTable } from './RoleTable.tsx'

const CreateRole = lazy(() => import('./CreateRole.tsx'))
const RoleDrawer = lazy(() => import('./RoleDrawer.tsx'))
const route = getRouteApi('/roles')

/** The roles accounts can have, and what each allows. */
export function RolesPage() {
  const { role: openName, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: roles, failure, refetch } = useAnswer(rolesQuery(useApi()))
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
      lead="A role is a set of permissions that go together. An account may do what all of its roles allow."
      aside={
        <Button
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: { create: true } })}
        >
          Create role
        </Button>
      }
    >
      {roles === undefined && failure !== null ? (
        <FailureNotice what="The roles could not be read." error={failure} onRetry={() => void refetch()} />
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
