import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './shell/router.tsx'
import './styles/base.css'
import './styles/shell.css'
import './styles/live.css'
import './styles/vehicle.css'
import './styles/connections.css'
import './styles/where.css'

const root = document.querySelector('#dashboard')
if (root)
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
