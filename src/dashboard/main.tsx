import './style/tokens.css';
import './style/page.css';
import './style/parts.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/live-connection.js';
import { App } from './app.js';
import { fetchViews } from './view.js';

connect();
// A view that is here already can be shown when nobody answers any more.
window.setTimeout(fetchViews, 1500);
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
