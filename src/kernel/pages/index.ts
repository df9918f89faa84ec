export { html, type Markup } from './html.ts'
export { brand, renderPage } from './page.ts'
