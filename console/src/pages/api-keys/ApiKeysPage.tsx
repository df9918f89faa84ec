import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiKeysQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import type { ApiKey } from '../../api/bodies.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { OwnerChoice } from '../../parts/OwnerChoice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { Surface } from '../../parts/Section.tsx'
import { ApiKeyTable } from './ApiKeyTable.tsx'
import type { ApiKeySearch } from './api-key-search.ts'
import type { CreatedApiKey } from './CreateApiKey.tsx'

const CreateApiKey = lazy(() => import('./CreateApiKey.tsx'))
const NewApiKey = lazy(() => import('./NewApiKey.tsx'))
const RevokeApiKey = lazy(() => import('./RevokeApiKey.tsx'))
const route = getRouteApi('/api-keys')

/** The keys programs use, with what each may do and when it was used last. */
export function ApiKeysPage() {
  const { owner = 'me', page = 1, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: keys, failure, refetch } = useAnswer(apiKeysQuery(useApi(), { owner, page }))
  const [created, setCreated] = useState<CreatedApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()

  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: true }) })
  const closeCreate = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = () => cache.invalidateQueries({ queryKey: ['api-keys'] })

  return (
    <Page
      title="API keys"
      lead="A key lets a program use the platform in your name. Send it in the header X-API-Key, or as a Bearer token."
      aside={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Create API key
        </Button>
      }
    >
      <ListTools count={countText(keys?.total)}>
        <OwnerChoice
          what="keys"
          owner={owner}
          onChange={(wanted) => void navigate({ search: wanted === 'all' ? { owner: 'all' } : {} })}
        />
      </ListTools>
      {keys === undefined && failure !== null ? (
        <FailureNotice
          what="The API keys could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ApiKeyTable keys={rowsOf(keys)} owner={owner} onCreate={openCreate} onRevoke={setRevoking} />
          </Surface>
          <Pager
            page={page}
            total={keys?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? (
          <CreateApiKey
            onClose={closeCreate}
            onCreated={async (key) => {
              await refresh()
              closeCreate()
              setCreated(key)
            }}
          />
        ) : null}
        {created === undefined ? null : <NewApiKey created={created} onDone={() => setCreated(undefined)} />}
        {revoking === undefined ? null : (
          <RevokeApiKey apiKey={revoking} onRevoked={refresh} onClose={() => setRevoking(undefined)} />
        )}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: ApiKeySearch): ApiKeySearch {
  const { create: _, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 key' : `${total.toLocaleString()} keys`
}
