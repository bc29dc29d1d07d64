import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'

/** A sentence in the place of content: why there is none, and what to do. */
export function Notice({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="notice">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      Reading {what}…
    </p>
  )
}

/** An error that the page cannot work around. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  return (
    <div className="notice" role="alert">
      <h2>This did not work</h2>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <button type="button" onClick={retry ?? (() => location.reload())}>
        Try again
      </button>
    </div>
  )
}

export function NotFound() {
  return (
    <main className="page">
      <Notice title="There is no such page">
        <p>
          <Link to="/">Go to the live map</Link>
        </p>
      </Notice>
    </main>
  )
}
