import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { compiledMessages } from './tools/compile-messages.ts';
import { contractInBrowser } from './tools/contract-in-browser.ts';

export default defineConfig({
  publicDir: 'web/public',
  plugins: [compiledMessages(), contractInBrowser(), tailwindcss(), reactRouter()],
  environments: {
    // The few icons that pages show, not the file of all of them: the server would read it whole at each start.
    ssr: { resolve: { noExternal: ['lucide-react'] } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every page lists most files: a short hash, of 42 bits, tells the versions of one apart.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            // What every page stands on travels as one file and compresses as one.
            codeSplitting: {
              groups: [
                {
                  name: 'foundation',
                  priority: 2,
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack|@lingui)[\\/]/,
                },
                {
                  // What most pages share: dozens of files of a kilobyte cost more in asking than in bytes. Not the icons of one page or part.
                  name: 'site',
                  priority: 1,
                  test: /[\\/]web[\\/](ui[\\/](?!field|checkbox|tabs|use-keys|bar-chart)|features[\\/](chrome|session[\\/](?!google-|use-google|open-in-browser|in-app-browser|password-field|form-errors)|lists|offline|notifications|theme|categories[\\/]use-|feed|interactions[\\/]controls|profile[\\/]use-self|player[\\/](watching[\\/]viewer-id|next-pages))|[\w-]+\.tsx?$)|[\\/]contract[\\/](?!webvtt|engagement|relations|earnings|embed-code|retention|earning-rules|taste|csv)|node_modules[\\/]lucide-react(?!.*[\\/](briefcase-business|copy-check|landmark|lightbulb|move-vertical|printer|sliders-horizontal|sparkles|thumbs-down|undo-2|volume-off)\.)/,
                  minShareCount: 2,
                },
                // Shared by pages with forms and by login pages only, so that other pages do not load it.
                { name: 'fields', test: /[\\/]web[\\/]ui[\\/](field|checkbox)\./, minShareCount: 2 },
                {
                  name: 'login',
                  test: /[\\/]session[\\/](google-|use-google|open-in-browser|in-app-browser|password-field|form-errors)/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
  },
  build: { assetsInlineLimit: 0, target: 'es2023', reportCompressedSize: false },
});
