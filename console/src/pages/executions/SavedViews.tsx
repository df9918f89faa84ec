import '../../theme/mantine-floating.css'
import '../../theme/mantine-form.css'
import '../../theme/mantine-modal.css'
import { Button, Menu, Modal, TextInput } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import menuStyles from '../../parts/OverflowMenu.module.css'
import { useReturnFocus } from '../../parts/use-return-focus.ts'
import { notify } from '../../shell/notify.ts'
import type { ExecutionSearch } from './execution-search.ts'
import styles from './SavedViews.module.css'
import { builtInViews, createViewStore, type ViewStore } from './saved-views.ts'

interface SavedViewsProps {
  readonly search: ExecutionSearch
  readonly onOpen: (search: ExecutionSearch) => void
}

/** Lists of executions by name. The address is the view, so it can be shared; the names stay in this browser. */
export function SavedViews({ search, onOpen }: SavedViewsProps) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  const account = profile?.id
  const store = useMemo(
    () => (account === undefined ? undefined : createViewStore(() => window.localStorage, account)),
    [account],
  )
  const [isSaving, setSaving] = useState(false)
  const [isOpen, setOpen] = useState(false)
  // Read when the menu opens: another tab may have changed them.
  const own = isOpen && store !== undefined ? store.read() : []
  return (
    <>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        classNames={menuStyles}
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Views">
          {[...builtInViews, ...own].map((view) => (
            <Menu.Item key={view.name} onClick={() => onOpen(view.search)}>
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={store === undefined} onClick={() => setSaving(true)}>
            Save this view…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isSaving && store !== undefined ? (
        <SaveView store={store} search={search} onClose={() => setSaving(false)} />
      ) : null}
    </>
  )
}

interface SaveViewProps {
  readonly store: ViewStore
  readonly search: ExecutionSearch
  readonly onClose: () => void
}

/** Names the current view, and removes names. */
function SaveView({ store, search, onClose }: SaveViewProps) {
  useReturnFocus()
  const [name, setName] = useState('')
  const [views, setViews] = useState(() => store.read())
  function save(): void {
    const saved = store.save({ name: name.trim(), search })
    void notify(
      saved
        ? { title: `“${name.trim()}” is saved`, message: 'It is listed under Views in this browser.' }
        : { title: 'The view was not saved', message: 'This browser stores nothing for this site.' },
    )
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      size={440}
      title="Save this view"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save()
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          description="Filters, order and columns are saved in this browser. A view with the same name is replaced."
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {views.length === 0 ? null : (
          <ul className={styles['views']} aria-label="Saved views">
            {views.map((view) => (
              <li key={view.name}>
                {view.name}
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={`Remove ${view.name}`}
                  onClick={() => {
                    store.remove(view.name)
                    setViews(store.read())
                  }}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div className={styles['foot']}>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  )
}
