import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../../parts/Copyable.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DetailList } from '../../../parts/DetailList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { playerTag } from '../builder/frame/frame-address.ts'
import { countOf } from '../list/tour-words.ts'
import type { useMay } from '../list/use-may.ts'
import { SiteForm } from './SiteForm.tsx'
import { deleteSite, type Site, siteAnalyticsQuery } from './site-calls.ts'

interface SiteDrawerProps {
  /** Undefined for a new site. */
  readonly site: Site | undefined
  readonly may: ReturnType<typeof useMay>
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** A site: its form, its tag and its analytics. */
export function SiteDrawer({ site, may, onChanged, onClose }: SiteDrawerProps) {
  const [isAsking, setAsking] = useState(false)
  const isBuiltIn = site?.id === 'console' || site?.id === 'default'
  return (
    <SideDrawer title={site?.label ?? 'Add site'} onClose={onClose} covered={isAsking} holdsInput>
      {site === undefined ? null : <SiteDetails site={site} seesAnalytics={may.seeAnalytics} />}
      {site?.id === 'console' || !may.administer ? null : (
        <SiteForm site={site} onChanged={onChanged} onClose={onClose} />
      )}
      {site === undefined || isBuiltIn || !may.administer ? null : (
        <DrawerSection title="Delete">
          <DangerButton kind="ask" onClick={() => setAsking(true)}>
            Delete site…
          </DangerButton>
        </DrawerSection>
      )}
      {site !== undefined && isAsking ? (
        <ConfirmDialog
          title={`Delete the site “${site.label}”?`}
          confirmLabel="Delete site"
          failureSentence="The site was not deleted."
          send={(api) => deleteSite(api, site.id)}
          onDone={async () => {
            await onChanged()
            onClose()
          }}
          onClose={() => setAsking(false)}
        >
          <p>Pages whose tag names it get no tours. A site with tours cannot be deleted.</p>
        </ConfirmDialog>
      ) : null}
    </SideDrawer>
  )
}

function SiteDetails({ site, seesAnalytics }: { site: Site; seesAnalytics: boolean }) {
  const { data } = useQuery({ ...siteAnalyticsQuery(useApi(), site.id), enabled: seesAnalytics })
  const tag = playerTag(window.location.origin, site.id)
  return (
    <DetailList
      details={[
        { name: 'ID', value: <Copyable text={site.id} what="site ID" /> },
        {
          name: 'Tours',
          value: (
            <Link to="/admin/structure/recipe-onboarding/tours" search={{ site: site.id }}>
              {site.tours === 1 ? '1 tour' : `${site.tours} tours`}
            </Link>
          ),
        },
        ...(site.id === 'console'
          ? []
          : [{ name: 'Tag', value: <Copyable text={tag} what="tag of the player" /> }]),
        ...(data === undefined
          ? []
          : [
              {
                name: 'Last 30 days',
                value: [
                  countOf(data.totals.views, 'view'),
                  countOf(data.totals.starts, 'start'),
                  countOf(data.totals.completions, 'completion'),
                ].join(', '),
              },
            ]),
      ]}
    />
  )
}
