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
            // What every page stands on travels as one file and compresses as one.
            codeSplitting: {
              groups: [
                {
                  name: 'foundation',
                  test: /node_modules[\\/](react|react-dom|react-router|react-redux|scheduler|redux[\w-]*|immer|reselect|use-sync-external-store|@reduxjs|@tanstack|@lingui)[\\/]/,
                },
                {
                  // What most pages share: dozens of files of a kilobyte cost more in asking than in bytes.
                  name: 'site',
                  test: /[\\/]web[\\/](ui|features[\\/](chrome|session|lists|offline|notifications|theme|categories|feed)|[\w-]+\.tsx?$)|[\\/]contract[\\/]|node_modules[\\/]lucide-react/,
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
