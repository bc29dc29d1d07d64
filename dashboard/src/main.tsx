import { createRoot } from 'react-dom/client'

const root = document.querySelector('#dashboard')
if (root) createRoot(root).render(<p>Odograph</p>)
