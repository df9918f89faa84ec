import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { SideDrawer } from './SideDrawer.tsx'
import styles from './SidePanel.module.css'

interface SidePanelProps {
  readonly title: string
  readonly onClose: () => void
  /** The element that gets the focus after closing. */
  readonly returnTo: () => HTMLElement | null
  readonly children: ReactNode
}

const widths = { min: 360, max: 720, usual: 440, step: 24 }
const widthKey = 'tutti-panel-width'

/** Whether the window is wide enough for a panel beside the content. */
export function useFitsPanel(): boolean {
  return useMediaQuery('(min-width: 1100px)', undefined, { getInitialValueInEffect: false })
}

/**
 * The details of one item of a list. In a wide window a panel beside the list, which stays usable; else a drawer over it.
 * Escape closes it and returns the focus to the list.
 */
export function SidePanel({ title, onClose, returnTo, children }: SidePanelProps) {
  const fits = useFitsPanel()
  const [width, setWidth] = useState(readWidth)
  if (!fits)
    return (
      <SideDrawer title={title} onClose={onClose} returnTo={returnTo}>
        {children}
      </SideDrawer>
    )

  const resize = (wanted: number) => {
    const next = Math.round(Math.min(widths.max, Math.max(widths.min, wanted)))
    setWidth(next)
    localStorage.setItem(widthKey, String(next))
  }
  const close = () => {
    onClose()
    returnTo()?.focus()
  }
  return (
    <aside
      className={styles['panel']}
      aria-label={title}
      tabIndex={-1}
      style={{ '--panel-width': `${width}px` } as CSSProperties}
      onKeyDown={(press) => {
        if (press.key !== 'Escape' || press.defaultPrevented || isInOverlay(press.target)) return
        press.preventDefault()
        close()
      }}
    >
      <Edge width={width} onResize={resize} />
      <div className={styles['inside']}>
        <div className={styles['header']}>
          <h2>{title}</h2>
          <ActionIcon size={28} aria-label="Close" title="Close" onClick={close}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
        <div className={styles['body']}>{children}</div>
      </div>
    </aside>
  )
}

/** Dialogs that the panel opens are its children in React, and close by themselves. */
function isInOverlay(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null
}

interface EdgeProps {
  readonly width: number
  readonly onResize: (width: number) => void
}

const moves: Readonly<Record<string, (width: number) => number>> = {
  ArrowLeft: (width) => width + widths.step,
  ArrowRight: (width) => width - widths.step,
  Home: () => widths.min,
  End: () => widths.max,
}

/** The left edge of the panel, which changes its width by mouse and by arrow keys. */
function Edge({ width, onResize }: EdgeProps) {
  function onKeyDown(press: KeyboardEvent): void {
    const move = moves[press.key]
    if (move === undefined) return
    press.preventDefault()
    onResize(move(width))
  }
  function onPointerMove({ currentTarget, pointerId, movementX }: PointerEvent): void {
    if (currentTarget.hasPointerCapture(pointerId)) onResize(width - movementX)
  }
  return (
    <hr
      className={styles['edge']}
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={widths.min}
      aria-valuemax={widths.max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}

function readWidth(): number {
  const stored = Number(localStorage.getItem(widthKey))
  return stored >= widths.min && stored <= widths.max ? stored : widths.usual
}
