/** How wide a page is looked at: as wide as there is available, or as on a device. */
export type PageSize = 'fit' | 'desktop' | 'tablet' | 'phone'

const widths = { desktop: 1280, tablet: 768, phone: 390 } as const

/** The shape of the frame: a page that is wider than the space for it is made smaller as a whole. */
export function shapeOf(size: PageSize, available: number) {
  if (size === 'fit' || available === 0) return { width: '100%', height: '100%' }
  const width = widths[size]
  const scale = Math.min(1, available / width)
  return {
    width,
    height: `${100 / scale}%`,
    ...(scale === 1 ? {} : { transform: `scale(${scale})`, transformOrigin: 'top left' }),
  }
}
