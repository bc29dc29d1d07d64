import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isSignedIn, signOut } from '../api/session.ts'
import { Failure, Loading } from './messages.tsx'
import { SettingsMenu } from './settings-menu.tsx'

/** Header and content of every page for people who have signed in. */
export function Layout() {
  const access = useAccess()
  if (access === 'checking') return <Loading what="your session" />
  if (access instanceof Error)
    return (
      <main className="page">
        <Failure error={access} />
      </main>
    )
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <Link className="brand" to="/">
          Odograph
        </Link>
        <nav aria-label="Dashboard">
          <Link to="/" activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
            Live map
          </Link>
          <Link to="/where" activeProps={{ 'aria-current': 'page' }} activeOptions={{ includeSearch: false }}>
            Who was there
          </Link>
          <Link to="/connections" activeProps={{ 'aria-current': 'page' }}>
            Connections
          </Link>
        </nav>
        <SettingsMenu onSignOut={signOutAndReload} />
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

/** Signs out and opens the page again. Returns why it did not work. */
async function signOutAndReload(): Promise<string | null> {
  const problem = await signOut().catch(() => 'The service cannot be reached. You are still signed in.')
  if (problem === null) location.reload()
  return problem
}

/** Returns a function that leads to the sign-in, and back to this address after it. */
export function useSignInAgain(): () => void {
  const navigate = useNavigate()
  const next = useRouterState({ select: ({ location }) => location.href })
  return () => void navigate({ to: '/sign-in', search: { next } })
}

/** Checks whether the person has signed in, and leads to the sign-in otherwise. */
function useAccess(): 'checking' | 'granted' | Error {
  const [access, setAccess] = useState<'checking' | 'granted' | Error>('checking')
  const signInAgain = useSignInAgain()
  useEffect(() => {
    isSignedIn().then(
      (isGranted) => (isGranted ? setAccess('granted') : signInAgain()),
      (error: unknown) => setAccess(error instanceof Error ? error : new Error(String(error))),
    )
    // The check is made once, when the page opens.
  }, [])
  return access
}
