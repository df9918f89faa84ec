import '../theme/mantine-floating.css'
import '../theme/mantine-modal.css'
import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { createElement, useEffect, useState } from 'react'
import { useReturnFocus } from '../parts/use-return-focus.ts'
import { commandIcons, creationIcon } from './command-icons.ts'
import { Keys } from './Keys.tsx'
import styles from './Palette.module.css'
import type { Command } from './use-commands.ts'

interface PaletteProps {
  readonly commands: readonly Command[]
  readonly opened: boolean
  readonly onClose: () => void
}

/** The command palette: finds every command of the console by a few letters. */
export default function Palette({ commands, opened, onClose }: PaletteProps) {
  useReturnFocus()
  const [[store, spotlight]] = useState(createSpotlight)
  useEffect(() => {
    if (opened) spotlight.open()
    else spotlight.close()
  }, [opened, spotlight])

  const groups = ['Pages', 'Actions'].map((group) => ({
    group,
    actions: commands
      .filter((command) => command.group === group)
      .map(({ id, title, about, keys, run }) => ({
        id,
        label: title,
        ...(about === undefined ? {} : { description: about }),
        leftSection: createElement(commandIcons.get(id) ?? creationIcon, { size: 18, stroke: 1.75 }),
        ...(keys === undefined ? {} : { rightSection: <Keys keys={keys} /> }),
        onClick: run,
      })),
  }))

  return (
    <Spotlight
      store={store}
      actions={groups}
      shortcut={null}
      onSpotlightClose={onClose}
      nothingFound="No pages or actions match."
      searchProps={{
        'aria-label': 'Command palette',
        placeholder: 'Search or jump to…',
        leftSection: <IconSearch size={18} stroke={1.75} aria-hidden />,
      }}
      classNames={styles}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      scrollable
      maxHeight={420}
      size={560}
    />
  )
}
