import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const settingsOfTheProcess = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only libs/config reads the environment: add the setting there, and pass its value.',
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.entrega/', 'coverage/', 'docs/', '**/*.generated.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-constructor-return': 'error',
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'no-unmodified-loop-condition': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      // Nest modules are classes without a body.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      // A union of ours is covered case by case; a `default` is for the long lists of others.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // What Nest injects must be imported as a value even where it is only named as a type.
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['apps/!(console)/**', 'libs/http/**', 'libs/delivery/**', 'libs/storage/src/entities/**'],
    rules: { '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }] },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'migrations/**/*.ts'],
    ignores: ['libs/config/**', '**/*.test.ts', 'libs/*/test/**'],
    rules: { 'no-restricted-syntax': ['error', settingsOfTheProcess] },
  },
  {
    files: ['libs/domain/**/*.ts', 'libs/contracts/**/*.ts'],
    // The one clock that is handed around.
    ignores: ['**/*.test.ts', 'libs/domain/src/clock.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Pure code gets the time passed in.' },
        { object: 'Math', property: 'random', message: 'Pure code gets randomness passed in.' },
      ],
    },
  },
  {
    files: ['apps/console/**'],
    ...reactHooks.configs.flat.recommended,
    // It warns of a compiler that is not used.
    rules: { ...reactHooks.configs.flat.recommended.rules, 'react-hooks/incompatible-library': 'off' },
  },
  { files: ['scripts/**', 'test/**', 'bench/**'], rules: { 'no-console': 'off' } },
);
